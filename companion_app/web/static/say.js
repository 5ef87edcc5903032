// Says in one line what happened, to eyes and to screen readers.
const line = document.getElementById("said");
let timer = 0;

export function say(words, wrong = false) {
  line.textContent = words;
  line.classList.toggle("wrong", wrong);
  line.classList.add("shown");
  clearTimeout(timer);
  timer = setTimeout(() => line.classList.remove("shown"), wrong ? 7000 : 3500);
}
