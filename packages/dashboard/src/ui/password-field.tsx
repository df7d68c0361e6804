import { Eye, EyeOff } from "lucide-react";
import { useState, type ComponentProps, type ReactElement } from "react";
import { IconButton } from "./button.tsx";
import { TextField } from "./field.tsx";

/** A new password, which the person may look at while they type it, so that it is entered once. */
export function NewPasswordField({
  label,
  problem,
  hint = "At least 12 characters.",
  ...input
}: {
  readonly label: string;
  readonly problem?: string | undefined;
  readonly hint?: string;
} & Pick<ComponentProps<"input">, "name" | "value" | "onChange">): ReactElement {
  const [isShown, setShown] = useState(false);
  return (
    <div className="relative">
      <TextField
        {...input}
        label={label}
        type={isShown ? "text" : "password"}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        required
        minLength={12}
        maxLength={128}
        hint={hint}
        problem={problem}
      />
      <IconButton
        className="absolute top-[26px] right-0.5 pointer-coarse:top-6"
        icon={isShown ? EyeOff : Eye}
        label={isShown ? `Hide ${label.toLowerCase()}` : `Show ${label.toLowerCase()}`}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      />
    </div>
  );
}
