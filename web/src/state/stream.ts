/** The events of a live table, as the server sends them. A lost line is taken up again where it broke. */

import type { LiveNews } from "../api/types";
import { house } from "./house.svelte";

const AGAIN_MS = 1500;

export class Stream {
  private source: EventSource | null = null;
  private again: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly path: string,
    private readonly hear: (news: LiveNews) => void,
  ) {
    this.open();
    globalThis.addEventListener?.("offline", this.lost);
    globalThis.addEventListener?.("online", this.back);
  }

  /** The device says that it has no line; a stream may not notice that for a long time. */
  private readonly lost = (): void => {
    house.connected = false;
  };

  private readonly back = (): void => {
    this.source?.close();
    this.open();
  };

  private open(): void {
    if (globalThis.EventSource === undefined) return;
    const source = new EventSource(this.path, { withCredentials: true });
    this.source = source;
    source.onopen = () => (house.connected = true);
    source.onmessage = (event: MessageEvent<string>) => {
      this.hear(JSON.parse(event.data) as LiveNews);
    };
    // The browser asks again by itself, with the last number; where it has given up, we do.
    source.onerror = () => {
      house.connected = false;
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(this.again);
      this.again = setTimeout(() => this.open(), AGAIN_MS);
    };
  }

  close(): void {
    globalThis.removeEventListener?.("offline", this.lost);
    globalThis.removeEventListener?.("online", this.back);
    clearTimeout(this.again);
    this.source?.close();
    this.source = null;
  }
}
