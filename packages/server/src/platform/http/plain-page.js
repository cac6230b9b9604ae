// Script of the pages of the service. They work without it: times are in UTC then, and a key is copied by hand.

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
for (const time of document.querySelectorAll('time[datetime]')) {
  const date = new Date(time.dateTime);
  if (Number.isNaN(date.getTime())) continue;
  time.title = time.textContent;
  time.textContent = local.format(date);
}

// Nobody is logged in with this browser: its copy of the studio's page offers nothing of the last user.
if (location.pathname === '/users/log-in') {
  try {
    localStorage.removeItem('stem-studio-account');
  } catch {
    // Storage is blocked, so nothing was stored either.
  }
}

/** Copies the text of a field. Pages without https have no clipboard: the field's text is selected and copied then. */
async function copy(field) {
  field.focus();
  field.select();
  if (!navigator.clipboard) return document.execCommand('copy');
  return await navigator.clipboard.writeText(field.value).then(
    () => true,
    () => false,
  );
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  const field = document.getElementById(button.dataset.copy);
  if (!field) continue;
  button.hidden = false;
  button.addEventListener('click', () => {
    void copy(field).then((isCopied) => {
      button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
    });
  });
}
