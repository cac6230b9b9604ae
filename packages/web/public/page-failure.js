// Shows a message instead of an empty page if the files of the page cannot be loaded. Loaded before them, under a name
// that no update changes. It is a file, because the content security policy allows no inline scripts.
addEventListener(
  'error',
  (event) => {
    const { target } = event;
    const isPart = target instanceof HTMLScriptElement || target instanceof HTMLLinkElement;
    const root = document.getElementById('root');
    if (!isPart || !root || root.childElementCount > 0) return;
    const main = document.createElement('main');
    const title = document.createElement('h1');
    title.textContent = 'The studio was updated';
    const text = document.createElement('p');
    text.textContent =
      'This page belongs to the version before, or the studio cannot be reached. Nothing was lost.';
    const reload = document.createElement('button');
    reload.type = 'button';
    reload.textContent = 'Reload';
    reload.addEventListener('click', () => location.reload());
    main.append(title, text, reload);
    root.append(main);
  },
  true,
);
