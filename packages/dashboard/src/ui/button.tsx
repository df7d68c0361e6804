import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { cx } from "./cx.ts";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";

const base =
  "inline-flex min-h-8 items-center justify-center gap-1.5 rounded-control px-3 text-body font-medium whitespace-nowrap " +
  "transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed " +
  "aria-disabled:opacity-55 pointer-coarse:min-h-11";

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary: "bg-accent text-on-accent hover:not-disabled:opacity-90",
  secondary: "border border-control bg-surface text-text hover:not-disabled:bg-sunken",
  quiet: "text-text-2 hover:not-disabled:bg-sunken hover:not-disabled:text-text",
  danger: "border border-failed bg-surface text-failed hover:not-disabled:bg-failed-bg",
};

/** The classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = "secondary", className?: string): string {
  return cx(base, variants[variant], "no-underline", className);
}

interface ButtonProps extends ComponentProps<"button"> {
  readonly variant?: ButtonVariant;
  readonly icon?: LucideIcon;
  /** Shown instead of the label while its request is in progress. */
  readonly busyLabel?: string | undefined;
  readonly children: ReactNode;
}

export function Button({
  variant = "secondary",
  icon: Icon,
  busyLabel,
  className,
  children,
  disabled,
  type = "button",
  ...rest
}: ButtonProps): ReactElement {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled === true || busyLabel !== undefined}
      className={buttonClass(variant, className)}
    >
      {Icon !== undefined && <Icon aria-hidden size={15} strokeWidth={2} />}
      {busyLabel ?? children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  readonly icon: LucideIcon;
  /** The accessible name. */
  readonly label: string;
}

export function IconButton({ icon: Icon, label, className, ...rest }: IconButtonProps): ReactElement {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={cx(
        "inline-flex size-7 items-center justify-center rounded-control text-text-2 hover:bg-sunken hover:text-text pointer-coarse:size-11",
        className,
      )}
    >
      <Icon aria-hidden size={15} />
    </button>
  );
}
