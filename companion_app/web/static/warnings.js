// What a player may regret is told below the verdict, unless somebody does not want to hear it; that is kept in this browser.
const wish = "pyramids-warnings";

export function areWarningsOn() {
  return localStorage.getItem(wish) !== "no";
}

export function warningSwitch(button, page) {
  const show = () => {
    page.dataset.warnings = areWarningsOn() ? "yes" : "no";
    button?.setAttribute("aria-pressed", String(areWarningsOn()));
  };
  show();
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    localStorage.setItem(wish, areWarningsOn() ? "no" : "yes");
    show();
  });
}
