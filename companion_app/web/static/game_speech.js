// Reads the verdict aloud, where the browser can and somebody wants it; the wish is kept in this browser.
export function speaker(button) {
  const voice = window.speechSynthesis;
  if (!voice || !button) return () => {};
  const wish = "pyramids-read-aloud";
  const on = () => localStorage.getItem(wish) === "yes";
  const show = () => button.setAttribute("aria-pressed", String(on()));
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    localStorage.setItem(wish, on() ? "no" : "yes");
    show();
    voice.cancel();
  });
  return (words) => {
    if (!on()) return;
    voice.cancel();
    const spoken = new SpeechSynthesisUtterance(words);
    spoken.lang = "en";
    voice.speak(spoken);
  };
}
