import { Check, Terminal } from "lucide-react";
import { useState, type ReactElement } from "react";
import { serviceAddress } from "../api/address.ts";
import { Button } from "../ui/button.tsx";
import { curlCommand, type CurlRequest } from "./curl.ts";

const confirmedMs = 1_500;

/** Copies the request of the page as a command. */
export function CopyAsCurl({ request }: { readonly request: CurlRequest }): ReactElement {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(curlCommand(location.origin + serviceAddress, request)).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), confirmedMs);
    });
  };
  return (
    <Button variant="quiet" icon={isCopied ? Check : Terminal} onClick={copy} data-print="hide">
      Copy as curl
    </Button>
  );
}
