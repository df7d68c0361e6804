import { X } from "lucide-react";
import { useId, useLayoutEffect, useRef, type ReactElement, type ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { cx } from "./cx.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the end. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
  /** Leaves the whole dialog to its content, with the button to close it in the corner. */
  readonly isTitleHidden?: boolean;
}

/** A modal dialog, shown while it is rendered. The focus begins at its first field, and returns afterwards. */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  isWide = false,
  isTitleHidden = false,
}: DialogProps): ReactElement {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closing returns the focus, for which the dialog has to be in the page still.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("input:not([readonly]), select, textarea")?.focus();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      // Chromium closes a dialog without asking when Escape is pressed a second time.
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className={cx(
        "m-auto max-h-[90dvh] w-[calc(100%-2rem)] rounded-panel border border-hairline bg-surface p-0 text-text shadow-dialog",
        isWide ? "max-w-3xl" : isTitleHidden ? "max-w-xl" : "max-w-md",
        isTitleHidden && "mt-[12dvh]",
      )}
    >
      <div className={cx("flex items-start justify-between gap-4", !isTitleHidden && "px-5 pt-4")}>
        <h2 id={titleId} className={isTitleHidden ? "sr-only" : "text-section font-semibold wrap-anywhere"}>
          {title}
        </h2>
        <IconButton
          icon={X}
          label="Close"
          onClick={onClose}
          className={isTitleHidden ? "absolute top-2 right-2" : ""}
        />
      </div>
      <div className={isTitleHidden ? "" : "flex flex-col gap-4 px-5 pt-2 pb-5"}>{children}</div>
      {actions !== undefined && (
        <div className="sticky bottom-0 flex flex-wrap justify-end gap-2 border-t border-hairline bg-surface px-5 py-3">
          {actions}
        </div>
      )}
    </dialog>
  );
}
