// Buttons that only a script answers come disabled: whoever is faster than the script is not left unheard.
export function wake(area) {
  for (const button of area.querySelectorAll("button[data-waits]")) {
    button.disabled = false;
    delete button.dataset.waits;
  }
}
