/**
 * Starts the download of a file as a click on its link does; the browser shows the progress.
 *
 * @param name proposed name of the file; empty for the name that the service gives it
 */
export function startDownload(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
