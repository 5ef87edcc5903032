// The list: says that a photo takes a moment, so that nobody presses twice.
document.addEventListener("submit", (event) => {
  if (document.body.classList.contains("busy")) event.preventDefault();
  document.body.classList.add("busy");
});
window.addEventListener("pageshow", () => document.body.classList.remove("busy"));
