import type { Sessions } from "@procedo/engine";
import type { BrowserCookie } from "../access/browser-cookie.ts";

/**
 * Ends the session of a cookie that a sign-in replaces. The browser would no longer send it, so that its person could not
 * end it by signing out.
 */
export async function endFormerSession(
  sessions: Pick<Sessions, "hold" | "end">,
  cookie: Pick<BrowserCookie, "read">,
  header: string | undefined,
): Promise<void> {
  try {
    const token = cookie.read(header);
    const held = token === undefined ? undefined : await sessions.hold(token);
    if (held === undefined) return;
    held.release();
    const { personId, sessionId } = held.session;
    await sessions.end({ personId, sessionId, by: held.principalIn() });
  } catch {
    // The person has signed in. The former session ends by itself.
  }
}
