let width: number | undefined;

/** In pixels, of the room beside what scrolls; 0 where a scrollbar lies over that. */
export function scrollbarWidth(): number {
  width ??= measure();
  return width;
}

function measure(): number {
  const probe = document.createElement("div");
  // the room that is kept for one: a browser may keep it also where it shows none
  const kept = { position: "absolute", overflowY: "auto", scrollbarGutter: "stable" };
  Object.assign(probe.style, { ...kept, width: "4rem" });
  document.body.append(probe);
  const taken = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return taken;
}
