/** Values of attributes; an absent one is not written. */
export type XmlAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly children: readonly XmlElement[] | string;
}

/** Returns an element. */
export function element(
  name: string,
  attributes: XmlAttributes = {},
  children: readonly XmlElement[] | string = [],
): XmlElement {
  return { name, attributes, children };
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Returns text with its special characters escaped, without characters that XML 1.0 does not allow. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"\n\r\t]/g, (character) => escapes[character] ?? character)
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, '');
}

/** Decimals of numbers: a nanosecond, far below a sample frame. */
const DECIMALS = 9;

function valueText(value: string | number | boolean): string {
  if (typeof value !== 'number') return escaped(String(value));
  return String(Number(value.toFixed(DECIMALS)));
}

function write(written: string[], { name, attributes, children }: XmlElement, indent: string): void {
  const values = Object.entries(attributes)
    .map(([key, value]) => (value === undefined ? '' : ` ${key}="${valueText(value)}"`))
    .join('');
  if (children.length === 0) written.push(`${indent}<${name}${values}/>`);
  else if (typeof children === 'string')
    written.push(`${indent}<${name}${values}>${escaped(children)}</${name}>`);
  else {
    written.push(`${indent}<${name}${values}>`);
    for (const child of children) write(written, child, `${indent}  `);
    written.push(`${indent}</${name}>`);
  }
}

/** Returns an element as an XML document in UTF-8. */
export function xmlDocument(root: XmlElement): Buffer {
  const written = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'];
  write(written, root, '');
  return Buffer.from(`${written.join('\n')}\n`);
}
