import { AlertDialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../controls/button.tsx'
import { FormError } from '../controls/form.tsx'
import { OVERLAY, PANEL } from './modal.tsx'
import { useRestoreFocus } from './restore-focus.ts'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
  confirm: string
  cancel?: string
  danger?: boolean
  busy: boolean
  disabled?: boolean
  error: unknown
  /** Fields inside that show their own errors. */
  fields?: string[]
  onConfirm: () => void
}

/** Confirms an irreversible action. Stays open until the service responds, and shows its error. */
export const ConfirmDialog = ({
  open,
  onOpenChange,
  title,
  children,
  confirm,
  cancel = 'Cancel',
  danger,
  busy,
  disabled,
  error,
  fields,
  onConfirm,
}: Props) => {
  const restoreFocus = useRestoreFocus(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={OVERLAY} />
        <Radix.Content
          onCloseAutoFocus={restoreFocus}
          className={`${PANEL} inset-x-3 top-[6dvh] mx-auto flex max-h-[88dvh] max-w-md animate-enter flex-col overflow-y-auto gap-4 rounded-xl border p-5`}
        >
          <Radix.Title className="wrap-anywhere text-section">{title}</Radix.Title>
          <Radix.Description asChild>
            <div className="text-soft text-sm">{children}</div>
          </Radix.Description>
          <FormError error={error} fields={fields} />
          <footer className="flex justify-end gap-2">
            <Radix.Cancel className={buttonClass()}>{cancel}</Radix.Cancel>
            <Button look={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled} onClick={onConfirm}>
              {confirm}
            </Button>
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
