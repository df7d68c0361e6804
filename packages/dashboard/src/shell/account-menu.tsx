import { useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { CircleUser, LogOut } from "lucide-react";
import type { ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import { Menu, MenuButton, menuItemClass } from "../ui/menu.tsx";
import { useToast } from "../ui/toasts.tsx";
import { announceSession } from "./session-elsewhere.ts";
import { useSession } from "./session.ts";
import { leaveSession } from "./sign-out.ts";

export function AccountMenu(): ReactElement {
  const { person, access } = useSession();
  const queryClient = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  const signOut = async (): Promise<void> => {
    try {
      await answerOf(api.DELETE("/api/v1/session", {}));
    } catch (error) {
      // A session that ended already is signed out as well. Any other failure leaves it open on this device.
      if (!hasCode(error, "unauthorized")) {
        toast("You are still signed in: the service could not be reached. Try again.");
        return;
      }
    }
    announceSession(undefined);
    await leaveSession(router, queryClient);
  };
  return (
    <Menu
      label="Account"
      button={<CircleUser aria-hidden size={16} />}
      buttonClassName="flex size-7 items-center justify-center rounded-control hover:bg-current/10 pointer-coarse:size-11"
    >
      <p className="max-w-64 truncate px-2.5 pt-1 font-medium">{person.name}</p>
      <p className="max-w-64 truncate px-2.5 pb-1.5 text-small text-text-3">{person.email}</p>
      <Link to="/account" role="menuitem" tabIndex={-1} className={menuItemClass}>
        <CircleUser aria-hidden size={15} />
        Your account
      </Link>
      {access !== undefined && (
        <MenuButton icon={LogOut} onClick={() => void signOut()}>
          Sign out
        </MenuButton>
      )}
    </Menu>
  );
}
