import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../overlays/confirm-dialog.tsx'

/** Asks whoever goes elsewhere before they saved: by a link, by the browser's buttons, or by closing the tab. */
export const Unsaved = ({ when }: { when: boolean }) => {
  const { status, proceed, reset } = useBlocker({
    // A filter in the address leaves the form where it is.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    disabled: !when,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      open={status === 'blocked'}
      onOpenChange={(open) => !open && reset?.()}
      title="Leave without saving?"
      cancel="Stay here"
      confirm="Leave without saving"
      danger
      busy={false}
      error={null}
      onConfirm={() => proceed?.()}
    >
      You changed something on this page and did not save it. If you leave, the change is lost.
    </ConfirmDialog>
  )
}
