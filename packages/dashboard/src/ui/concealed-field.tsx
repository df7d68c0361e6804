import { Eye, EyeOff } from "lucide-react";
import { useState, type ComponentProps, type ReactElement } from "react";
import { IconButton } from "./button.tsx";
import { TextField } from "./field.tsx";

/** A field for a secret, which the person may look at while they type it, so that it is entered once. */
export function ConcealedField({ label, ...field }: ComponentProps<typeof TextField>): ReactElement {
  const [isShown, setShown] = useState(false);
  return (
    <div className="relative">
      <TextField
        autoComplete="off"
        {...field}
        label={label}
        type={isShown ? "text" : "password"}
        autoCapitalize="none"
        spellCheck={false}
      />
      <IconButton
        className="absolute top-[26px] right-0.5 pointer-coarse:top-6"
        icon={isShown ? EyeOff : Eye}
        label={`${isShown ? "Hide" : "Show"} ${label.toLowerCase()}`}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      />
    </div>
  );
}
