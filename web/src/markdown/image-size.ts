/**
 * The size in pixels that a picture names in its head; undefined where it is none that is known. A
 * small file may hold a picture that takes gigabytes to draw, so it is read before it is drawn.
 */
export function readImageSize(
  bytes: Uint8Array<ArrayBuffer>,
): { width: number; height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0) === 0x89_50_4e_47)
      return { width: view.getUint32(16), height: view.getUint32(20) };
    if (view.getUint32(0) === 0x47_49_46_38)
      return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (view.getUint32(0) === 0x52_49_46_46 && view.getUint32(8) === 0x57_45_42_50)
      return readWebp(view);
    return view.getUint16(0) === 0xff_d8 ? readJpeg(view) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // it ends within its head
    throw error;
  }
}

/** Source: RFC 9649. */
function readWebp(view: DataView) {
  const kind = view.getUint32(12);
  if (kind === 0x56_50_38_58) {
    const at = (place: number) =>
      1 + view.getUint16(place, true) + (view.getUint8(place + 2) << 16);
    return { width: at(24), height: at(27) };
  }
  if (kind === 0x56_50_38_4c) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3f_ff), height: 1 + ((bits >> 14) & 0x3f_ff) };
  }
  if (kind !== 0x56_50_38_20) return undefined;
  return {
    width: view.getUint16(26, true) & 0x3f_ff,
    height: view.getUint16(28, true) & 0x3f_ff,
  };
}

/** The first frame names the size. Source: ITU T.81, B.2.2. */
function readJpeg(view: DataView) {
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}
