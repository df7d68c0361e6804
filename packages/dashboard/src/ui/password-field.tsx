import type { ComponentProps, ReactElement } from "react";
import { ConcealedField } from "./concealed-field.tsx";

/** A new password, which the person may look at while they type it, so that it is entered once. */
export function NewPasswordField({
  hint = "At least 12 characters.",
  ...field
}: {
  readonly label: string;
  readonly problem?: string | undefined;
  readonly hint?: string;
} & Pick<ComponentProps<"input">, "name" | "value" | "onChange">): ReactElement {
  return <ConcealedField {...field} hint={hint} autoComplete="new-password" required minLength={12} maxLength={128} />;
}
