import { Check, Terminal } from "lucide-react";
import type { ReactElement } from "react";
import { serviceAddress } from "../api/address.ts";
import { Button } from "../ui/button.tsx";
import { Copied } from "../ui/copied.tsx";
import { useCopy } from "../ui/use-copy.ts";
import { curlCommand, type CurlRequest } from "./curl.ts";

/** Copies the request of the page as a command, or several requests as a command each. */
export function CopyAsCurl({ request }: { readonly request: CurlRequest | readonly CurlRequest[] }): ReactElement {
  const { isCopied, copy } = useCopy();
  const commands = (): string =>
    [request]
      .flat()
      .map((one) => curlCommand(location.origin + serviceAddress, one))
      .join("\n");
  return (
    <>
      <Button variant="quiet" icon={isCopied ? Check : Terminal} onClick={() => copy(commands())} data-print="hide">
        Copy as curl
      </Button>
      <Copied isCopied={isCopied} />
    </>
  );
}
