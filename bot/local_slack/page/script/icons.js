/** Icons, drawn here so that nothing is fetched. They are decorative: a text is beside each or on its button. */

const SHAPES = {
  hash: "M6 2 4 14M12 2l-2 12M2 5.5h12M1.5 10.5h12",
  lock: "M4 7h8v6.5H4zM5.5 7V5a2.5 2.5 0 0 1 5 0v2",
  eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z",
  reply: "M2.5 3h11v8h-6l-3.2 2.6V11H2.5z",
  more: "M3.2 8h.1M8 8h.1M12.8 8h.1",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  back: "M10 3 5 8l5 5",
  down: "M3.5 6 8 10.5 12.5 6",
  send: "M2.5 13.5 14 8 2.5 2.5l1.6 5.5zM4.1 8H14",
  bolt: "M9 1.5 3.5 9H7l-1 5.5L12.5 7H8.6z",
  trash: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 9h5.8l.6-9",
  file: "M4 1.8h5.2L12 4.6v9.6H4zM9 1.8v3h3",
  layers: "M8 2 14 5 8 8 2 5zM2.5 8 8 10.8 13.5 8M2.5 11 8 13.8 13.5 11",
  archive: "M2 3h12v3H2zM3 6v7.5h10V6M6.5 8.5h3",
};

/**
 * @param {keyof typeof SHAPES} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", class: `icon icon-${name}`, "aria-hidden": "true" }))
    svg.setAttribute(key, value);
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}
