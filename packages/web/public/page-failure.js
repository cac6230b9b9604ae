// Loaded before the page itself, under a name that no update changes: says why nothing comes where the page's own
// files are gone, instead of leaving it empty. The policy of the page allows no script inside of it.
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
    const words = document.createElement('p');
    words.textContent =
      'This page belongs to the version before, or the studio cannot be reached. Nothing was lost.';
    const reload = document.createElement('button');
    reload.type = 'button';
    reload.textContent = 'Reload';
    reload.addEventListener('click', () => location.reload());
    main.append(title, words, reload);
    root.append(main);
  },
  true,
);
