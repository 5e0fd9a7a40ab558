// Keeps the page of one story as it stands: told of changes over server-sent events, it reads itself anew.
"use strict";

const story = document.getElementById("story");
const live = document.getElementById("live");

function localTimes(root) {
  for (const each of root.querySelectorAll("time[datetime]")) {
    const at = new Date(each.dateTime);
    if (!Number.isNaN(at.getTime())) {
      each.title = each.textContent;
      each.textContent = at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    }
  }
}

// Replace what has changed and nothing else, so that whoever reads keeps their place.
function takeOver(fresh) {
  let changed = false;
  localTimes(fresh);
  for (const chapter of fresh.querySelectorAll("article.chapter")) {
    const known = document.getElementById(chapter.id);
    if (!known) {
      story.append(document.adoptNode(chapter));
      changed = true;
      continue;
    }
    changed = replace(known.querySelector(".status"), chapter.querySelector(".status")) || changed;
    changed = sections(known, chapter) || changed;
  }
  replace(document.getElementById("contents"), fresh.getElementById("contents"));
  return changed;
}

function sections(known, chapter) {
  let changed = false;
  let before = known.querySelector(".status");
  for (const section of [...chapter.querySelectorAll("[data-live]")]) {
    const old = document.getElementById(section.id);
    if (old) {
      for (const fold of old.querySelectorAll("details[id]")) {
        const same = section.querySelector(`#${CSS.escape(fold.id)}`);
        if (same) same.open = fold.open;
      }
      changed = replace(old, section) || changed;
    } else {
      before.after(document.adoptNode(section));
      changed = true;
    }
    before = document.getElementById(section.id);
  }
  return changed;
}

function replace(old, fresh) {
  if (!old || !fresh || old.outerHTML === fresh.outerHTML) return false;
  const focused = old.contains(document.activeElement) ? path(old, document.activeElement) : null;
  const adopted = document.adoptNode(fresh);
  old.replaceWith(adopted);
  if (focused) focused.reduce((at, place) => at?.children[place], adopted)?.focus({ preventScroll: true });
  return true;
}

function path(root, node) {
  const places = [];
  for (let at = node; at !== root; at = at.parentElement) {
    places.unshift([...at.parentElement.children].indexOf(at));
  }
  return places;
}

let reading = false;
let again = false;

async function refresh() {
  if (reading) {
    again = true;
    return;
  }
  reading = true;
  try {
    const answer = await fetch(location.href, { cache: "no-store", credentials: "omit" });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = fresh.getElementById("story");
    if (takeOver(fresh)) live.textContent = live.dataset.changed;
    story.dataset.version = main.dataset.version;
  } catch {
    // The stream of events says when to try again.
  } finally {
    reading = false;
    if (again) {
      again = false;
      refresh();
    }
  }
}

const SHORTEST = 3000; // milliseconds until the page tries again, as in seed 000; then ever longer
const GROWTH = 1.5;
const LONGEST = 30000;
let pause = SHORTEST;

function follow() {
  const source = new EventSource(`${location.pathname}/events${location.search}`);
  source.onopen = () => {
    pause = SHORTEST;
    if (live.dataset.state === "lost") live.textContent = live.dataset.live;
    live.dataset.state = "live";
  };
  source.onerror = () => {
    // The browser would come back in even steps, and not at all once it was answered with an error.
    source.close();
    live.dataset.state = "lost";
    live.textContent = live.dataset.lost;
    setTimeout(follow, pause);
    pause = Math.min(LONGEST, pause * GROWTH);
  };
  source.onmessage = (told) => {
    if (told.data !== story.dataset.version) refresh();
  };
  source.addEventListener("over", () => {
    source.close();
    live.dataset.state = "over";
    live.textContent = live.dataset.over;
  });
}

localTimes(document);
if (live) follow();
// Whoever prints wants all of it.
addEventListener("beforeprint", () => {
  for (const each of document.querySelectorAll("details")) each.open = true;
});
