import type { Page } from 'playwright-core';
import { untilEqual } from './until.ts';

/**
 * Returns what is wrong with the arrangement of the decks, a line for each fault: a control or a text that is not on the
 * screen, too small, cut off, or over another one.
 *
 * @param mayScroll whether parts may be reached by scrolling vertically, as on a phone
 */
export async function arrangementFaults(page: Page, mayScroll = false): Promise<string[]> {
  return page.evaluate((scrolls) => {
    const tolerancePx = 1;
    const root = document.querySelector('[aria-label="Decks"]');
    if (!root) return ['there are no decks'];
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.closest('.visually-hidden');
    const nameOf = (element: Element) =>
      (element.getAttribute('aria-label') ?? element.textContent ?? '').replace(/\s+/g, ' ').trim() ||
      element.outerHTML.slice(0, 80);
    const sizeOf = (box: DOMRect) =>
      `${box.left.toFixed(0)},${box.top.toFixed(0)} ${box.width.toFixed(0)} × ${box.height.toFixed(0)}`;
    const overlapOf = (a: DOMRect, b: DOMRect) =>
      Math.min(
        Math.min(a.right, b.right) - Math.max(a.left, b.left),
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
      );
    const isInside = (inner: DOMRect, outer: DOMRect) =>
      inner.left >= outer.left - tolerancePx &&
      inner.top >= outer.top - tolerancePx &&
      inner.right <= outer.right + tolerancePx &&
      inner.bottom <= outer.bottom + tolerancePx;
    /** The part of the page on which an element can be seen: the window, and whatever cuts off its content. */
    const shownWithin = (element: Element, box: DOMRect): boolean => {
      if (scrolls) return box.left >= -tolerancePx && box.right <= innerWidth + tolerancePx;
      if (!isInside(box, new DOMRect(0, 0, innerWidth, innerHeight))) return false;
      for (let parent = element.parentElement; parent; parent = parent.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(parent);
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        if (!isInside(box, parent.getBoundingClientRect())) return false;
      }
      return true;
    };
    /** The element that scrolls an element: what is in different ones covers each other only while scrolled. */
    const scrollerOf = (element: Element): Element | null => {
      for (let parent = element.parentElement; parent; parent = parent.parentElement)
        if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent;
      return null;
    };
    const faults: string[] = [];
    const controls = [
      ...root.querySelectorAll(
        'button, a, input, [role="slider"], [role="tab"], [role="separator"], [role="combobox"], [role="img"]',
      ),
    ]
      .filter(isShown)
      .map((element) => ({ element, box: element.getBoundingClientRect() }));
    for (const { element, box } of controls) {
      const where = `${nameOf(element)} (${sizeOf(box)})`;
      if (!shownWithin(element, box)) faults.push(`not wholly on the screen: ${where}`);
      const isTarget = element.getAttribute('role') !== 'img' && element.getAttribute('role') !== 'separator';
      if (isTarget && (box.width < 23.5 || box.height < 23.5)) faults.push(`smaller than 24 px: ${where}`);
    }
    for (const [at, one] of controls.entries())
      for (const other of controls.slice(at + 1)) {
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        if (scrolls && scrollerOf(one.element) !== scrollerOf(other.element)) continue;
        if (overlapOf(one.box, other.box) > tolerancePx)
          faults.push(
            `overlap: ${nameOf(one.element)} (${sizeOf(one.box)}) and ${nameOf(other.element)} (${sizeOf(other.box)})`,
          );
      }
    const texts: { element: Element; text: string; box: DOMRect }[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = (node.textContent ?? '').trim();
      if (!element || text === '' || !isShown(element)) continue;
      const style = getComputedStyle(element);
      // Shown only while the control is held.
      if (style.opacity === '0' || style.fontSize === '0px') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const whole = range.getBoundingClientRect();
      if (whole.width === 0) continue;
      // A title that ends in an ellipsis is cut off on purpose: it has a tooltip.
      const cut = element.closest('[class]');
      let box = whole;
      for (let around = cut; around && around !== root; around = around.parentElement) {
        const { textOverflow, overflowX, webkitLineClamp } = getComputedStyle(around);
        if (textOverflow !== 'ellipsis' && webkitLineClamp === 'none') {
          const isCut = overflowX !== 'visible' && !(scrolls && around === scrollerOf(element));
          if (isCut && !isInside(whole, around.getBoundingClientRect()))
            faults.push(`cut off: “${text}” (${sizeOf(whole)})`);
          continue;
        }
        const outer = around.getBoundingClientRect();
        const left = Math.max(box.left, outer.left);
        const top = Math.max(box.top, outer.top);
        box = new DOMRect(
          left,
          top,
          Math.max(0, Math.min(box.right, outer.right) - left),
          Math.max(0, Math.min(box.bottom, outer.bottom) - top),
        );
        break;
      }
      if (Number.parseFloat(style.fontSize) < 10) faults.push(`text of ${style.fontSize}: “${text}”`);
      if (!shownWithin(element, box)) faults.push(`not wholly on the screen: “${text}” (${sizeOf(box)})`);
      texts.push({ element, text, box });
      for (const control of controls) {
        if (scrolls && scrollerOf(control.element) !== scrollerOf(element)) continue;
        if (control.element.contains(element)) {
          if (!isInside(box, control.box))
            faults.push(`wider than its control: “${text}” (${sizeOf(box)}) in ${sizeOf(control.box)}`);
        } else if (!element.contains(control.element) && overlapOf(box, control.box) > tolerancePx)
          faults.push(`text over a control: “${text}” (${sizeOf(box)}) and ${nameOf(control.element)}`);
      }
    }
    for (const [at, one] of texts.entries())
      for (const other of texts.slice(at + 1))
        if (
          one.element !== other.element &&
          !(scrolls && scrollerOf(one.element) !== scrollerOf(other.element)) &&
          overlapOf(one.box, other.box) > tolerancePx + 1
        )
          faults.push(`texts overlap: “${one.text}” and “${other.text}”`);
    return faults;
  }, mayScroll);
}

/**
 * Returns the positions and sizes of the controls of the decks by their names. Buttons whose name changes as they are
 * pressed, such as that of the recorder, have the name of their group.
 */
export async function controlBoxes(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => {
    const boxes: Record<string, string> = {};
    for (const element of document.querySelectorAll(
      '[aria-label="Decks"] :is(button, [role="slider"], [role="img"], [role="tab"])',
    )) {
      if (!element.checkVisibility()) continue;
      const group = element.closest('[role="group"], section')?.getAttribute('aria-label') ?? '';
      const name = element.getAttribute('aria-label') ?? element.getAttribute('title') ?? '';
      const { left, top, width, height } = element.getBoundingClientRect();
      const key = group === 'Recorder' ? group : `${group}: ${name}`;
      boxes[key] ??= [left, top, width, height].map((px) => Math.round(px)).join(' ');
    }
    return boxes;
  });
}

/** Waits until the controls are where they were before: those that are elsewhere or gone are in the failure. */
export async function untilUnmoved(page: Page, before: Readonly<Record<string, string>>): Promise<void> {
  const moved = async () => {
    const after = await controlBoxes(page);
    return Object.entries(before).flatMap(([name, box]) =>
      after[name] === box ? [] : [`${name}: ${box}, now ${after[name] ?? 'gone'}`],
    );
  };
  await untilEqual('controls that moved', moved, []);
}

/** Returns the names of the faders, knobs and buttons of decks and mixer that something covers at their centre. */
export async function coveredControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '[aria-label="Decks"] :is(section[data-deck], [aria-label="Mixer"]) :is(button, [role="slider"])',
      ),
    ]
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const there = document.elementFromPoint(x + width / 2, y + height / 2);
        return !there || !(element.contains(there) || there.contains(element));
      })
      .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? ''),
  );
}
