import type { ReactElement } from "react";
import type { ApiError } from "../api/api-error.ts";
import { Alert } from "../ui/problem.tsx";

/** The versions and triggers that make the service refuse a change. */
export function InUse({ error: { message, details } }: { readonly error: ApiError }): ReactElement {
  return (
    <Alert tone="review">
      {details.length <= 1 ? (
        <p>{message}</p>
      ) : (
        <>
          <p>It is still used:</p>
          <ul className="list-disc pl-4 font-normal">
            {details.map((detail, index) => (
              <li key={index}>{detail.message}</li>
            ))}
          </ul>
        </>
      )}
    </Alert>
  );
}
