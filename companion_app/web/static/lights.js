// The lights: asks once a second what they show, and presses the buttons of the virtual ones.
import { wake } from "./wake.js";

const EVERY_MS = 1000;
const HEARD_MS = 2500;
const lights = document.getElementById("lights");
const words = document.getElementById("lights-words");
const heard = document.getElementById("lights-heard");
const trouble = document.getElementById("lights-trouble");
let newest = 0;
let timer = 0;

function show(answer) {
  const due = lights.dataset.state !== "turn" || lights.dataset.seat === answer.last;
  lights.dataset.state = answer.state;
  lights.dataset.seat = answer.seat ?? "";
  for (const lamp of lights.querySelectorAll("[data-lamp]")) {
    lamp.dataset.partOf = answer.own.includes(lamp.dataset.lamp) ? "own" : "other";
  }
  if (answer.presses > Number(lights.dataset.presses)) hear(answer.last, due);
  lights.dataset.presses = answer.presses;
  // Writing the same again would make screen readers say it again.
  if (words.textContent !== answer.words) words.textContent = answer.words;
  if (trouble.textContent !== answer.trouble) trouble.textContent = answer.trouble;
}

// A button was pressed, here or on the table: its lamp blinks as the board's does, and a word says whose it was.
function hear(seat, due) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!still) lights.querySelector(`[data-lamp="${seat}"] .felt`).animate([{ opacity: 1 }, { opacity: 0 }], 300);
  heard.textContent = `· ${seat === "south" ? "South" : "North"}: ${due ? "done" : "pressed"}`;
  clearTimeout(timer);
  timer = setTimeout(() => { heard.textContent = ""; }, HEARD_MS);
}

// An answer that was overtaken by a younger one is old news.
async function ask(address, wish) {
  const number = ++newest;
  try {
    const response = await fetch(address, wish);
    const answer = await response.json();
    if (!response.ok && wish) trouble.textContent = answer.sentence; // a press that was not taken
    else if (response.ok && number === newest) show(answer);
  } catch {
    if (number === newest) trouble.textContent = "The companion does not answer: is it still running?";
  }
}

async function watch() {
  if (!document.hidden) await ask(lights.dataset.address);
  setTimeout(watch, EVERY_MS);
}

lights.addEventListener("click", (event) => {
  const button = event.target.closest("[data-press]");
  if (!button) return;
  ask(lights.dataset.pressAddress, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ seat: button.dataset.press }),
  });
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(lights.dataset.address); });
setTimeout(watch, EVERY_MS);
wake(lights);
