import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { buttonClass } from "../ui/button.tsx";
import { Page } from "./page.tsx";

export function NotFoundPage(): ReactElement {
  return (
    <Page heading="Not found">
      <p>
        There is no page at this address. What it showed may have been removed, or belongs to the other environment.
      </p>
      <p>
        <Link to="/" className={buttonClass()}>
          Go to Home
        </Link>
      </p>
    </Page>
  );
}
