import { RotateCw } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { usePageTitle } from "./page.tsx";

/** Shown when a page throws. After an update of the service, its files have other names, so that loading them fails. */
export function FailedPage({ error }: { readonly error: unknown }): ReactElement {
  const isOutdated = error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);
  const heading = isOutdated ? "A newer version is installed" : "This page failed";
  usePageTitle(heading);
  return (
    <main id="content" className="mx-auto flex max-w-xl flex-col items-start gap-4 p-6">
      <h1 className="text-heading font-semibold">{heading}</h1>
      {isOutdated ? <p>The service was updated while this page was open.</p> : <Problem error={error} />}
      <Button variant="primary" icon={RotateCw} onClick={() => location.reload()}>
        Reload
      </Button>
    </main>
  );
}
