/* The tabs of a browser share a session. Each tells the others when it has signed in or out. */

const channel = new BroadcastChannel("procedo.session");

/** Tells the other tabs who is signed in. */
export function announceSession(email: string | undefined): void {
  channel.postMessage({ email });
}

/** Calls back when another tab has signed in or out. */
export function onSessionElsewhere(listener: (email: string | undefined) => void): void {
  channel.addEventListener("message", ({ data }: MessageEvent<{ readonly email?: string }>) => listener(data.email));
}
