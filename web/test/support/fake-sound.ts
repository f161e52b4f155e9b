import type { Page } from "playwright-core";

/** In place of the browser's microphone and loudspeaker. */
export async function fakeSound(page: Page): Promise<{ played(): Promise<number> }> {
  await page.addInitScript(FAKES);
  return { played: () => page.evaluate<number>("played") };
}

const FAKES = `
  globalThis.played = 0;
  Object.defineProperty(navigator, "mediaDevices", { value: {
    async getUserMedia() {
      if (globalThis.refuses) throw new DOMException("", "NotAllowedError");
      return { getTracks: () => [{ stop() {} }] };
    },
  } });
  globalThis.MediaRecorder = class extends EventTarget {
    static isTypeSupported = (type) => type.startsWith("audio/webm");
    state = "inactive";
    mimeType = "audio/webm;codecs=opus";
    start() { this.state = "recording"; }
    stop() {
      this.state = "inactive";
      const data = new Blob(["spoken"], { type: "audio/webm" });
      this.dispatchEvent(Object.assign(new Event("dataavailable"), { data }));
      this.dispatchEvent(new Event("stop"));
    }
  };
  globalThis.Audio = class extends EventTarget {
    async play() { played += 1; globalThis.newest = this; }
    pause() {}
  };
`;
