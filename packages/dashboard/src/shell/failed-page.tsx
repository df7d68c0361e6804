import { useRouter } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { NewerVersionError } from "./lazy-page.ts";
import { Page } from "./page.tsx";

/** Shown when a page throws, or its files cannot be loaded. */
export function FailedPage({ error, reset }: { readonly error: unknown; readonly reset?: () => void }): ReactElement {
  const router = useRouter();
  if (error instanceof NewerVersionError) {
    return (
      <Page heading="A newer version is installed">
        <p>The service was updated while this page was open. Reload to go on with the new version.</p>
        <p>
          <Button variant="primary" icon={RotateCw} onClick={() => location.reload()}>
            Reload: a newer version is installed
          </Button>
        </p>
      </Page>
    );
  }
  const retry = (): void => {
    reset?.();
    void router.invalidate();
  };
  return (
    <Page heading="This page failed">
      <Problem error={error} onRetry={retry} />
    </Page>
  );
}
