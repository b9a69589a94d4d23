import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../overlays/confirm-dialog.tsx'

/** Asks before unsaved changes are lost to a link, the browser's buttons or a closed tab. */
export const Unsaved = ({ when }: { when: boolean }) => {
  const { status, proceed, reset } = useBlocker({
    // A filter in the URL does not leave the form.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    disabled: !when,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      open={status === 'blocked'}
      onOpenChange={(open) => !open && reset?.()}
      title="Discard unsaved changes?"
      cancel="Keep editing"
      confirm="Discard changes"
      danger
      busy={false}
      error={null}
      onConfirm={() => proceed?.()}
    >
      If you leave this page now, your changes will be lost.
    </ConfirmDialog>
  )
}
