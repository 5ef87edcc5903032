// The photo as a whole or closer, its labels always of a size that can be read.
export function startPhoto(photo, button) {
  const fit = () => {
    const width = photo.viewBox.baseVal.width;
    photo.style.setProperty("--px", String(width / Math.max(1, photo.clientWidth)));
  };
  const show = (close) => {
    photo.setAttribute("viewBox", close ? photo.dataset.close : photo.dataset.whole);
    button.setAttribute("aria-pressed", String(close));
    fit();
  };
  button.addEventListener("click", () => show(button.getAttribute("aria-pressed") !== "true"));
  new ResizeObserver(fit).observe(photo);
  show(matchMedia("(max-width: 40rem)").matches);
}
