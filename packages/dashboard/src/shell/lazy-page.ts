import { lazyRouteComponent } from "@tanstack/react-router";

/** A file of the dashboard is gone: the service was updated while the page was open. */
export class NewerVersionError extends Error {
  override readonly name = "NewerVersionError";
}

/** A page that is loaded when it opens. The names of its files change with each version of the dashboard. */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
): ReturnType<typeof lazyRouteComponent<Module, Name>> {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      // Without a network, the page itself cannot be reached either.
      const page = await fetch(document.baseURI, { cache: "no-store" }).catch(() => undefined);
      if (page?.ok !== true) throw new Error("The page could not be loaded. Check the network, and try again.");
      throw new NewerVersionError("The page has a newer version.", { cause: error });
    }
  }, name);
}
