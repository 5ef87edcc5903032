// Says in one line what happened, to eyes and to screen readers.
const line = document.getElementById("said");
let timer = 0;

export function say(words, wrong = false, stays = false) {
  line.textContent = words;
  line.classList.toggle("wrong", wrong);
  line.classList.add("shown");
  clearTimeout(timer);
  if (!stays) timer = setTimeout(hush, wrong ? 7000 : 3500);
}

// What was said is old news.
export function hush() {
  clearTimeout(timer);
  line.classList.remove("shown");
}
