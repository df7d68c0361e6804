import type { LucideIcon } from "lucide-react";
import { useId, useRef, type KeyboardEvent, type ReactElement, type ReactNode } from "react";
import { cx } from "./cx.ts";

interface MenuProps {
  /** The accessible name of the button that opens the menu. */
  readonly label: string;
  readonly button: ReactNode;
  readonly buttonClassName?: string;
  /** Whether it opens above its button. */
  readonly isAbove?: boolean;
  readonly children: ReactNode;
}

/** A menu in a popover, which the browser closes by Escape and by a click elsewhere. */
export function Menu({ label, button, buttonClassName, isAbove = false, children }: MenuProps): ReactElement {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const items = (): readonly HTMLElement[] => [
    ...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
  ];
  const move = (event: KeyboardEvent): void => {
    if (event.key === "Tab") menu.current?.hidePopover();
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  return (
    <>
      <button type="button" popoverTarget={id} aria-haspopup="menu" aria-label={label} className={cx(buttonClassName)}>
        {button}
      </button>
      {/* The focus enters the menu when it opens. */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={move}
        onToggle={(event) => {
          if (event.newState === "open") items()[0]?.focus();
        }}
        onClick={() => menu.current?.hidePopover()}
        className={cx(
          "min-w-44 rounded-panel border border-hairline bg-surface p-1 text-body text-text shadow-dialog",
          isAbove ? "menu-above" : "menu-below",
        )}
      >
        {children}
      </div>
    </>
  );
}

export const menuItemClass =
  "flex min-h-8 w-full items-center gap-2 rounded-control px-2.5 text-left text-body no-underline hover:bg-sunken " +
  "focus:bg-sunken pointer-coarse:min-h-11";

export function MenuButton({
  icon: Icon,
  onClick,
  children,
}: {
  readonly icon?: LucideIcon;
  readonly onClick: () => void;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <button type="button" role="menuitem" tabIndex={-1} onClick={onClick} className={menuItemClass}>
      {Icon !== undefined && <Icon aria-hidden size={15} />}
      {children}
    </button>
  );
}
