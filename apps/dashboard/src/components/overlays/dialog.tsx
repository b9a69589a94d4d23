import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Scrollable } from '../scrollable.tsx'
import { HiddenTitle, Modal, ModalHeader } from './modal.tsx'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children: ReactNode
  footer?: ReactNode
}

/** A dialog with a one-time secret must be closed with its button, not by accident. */
const preventAccidentalClose = (event: Event) => {
  if (document.querySelector('[role=dialog] [data-shown-once]')) event.preventDefault()
}

export const Dialog = ({ open, onOpenChange, title, description, children, footer }: Props) => (
  <Modal
    open={open}
    onOpenChange={onOpenChange}
    isDescribed={Boolean(description)}
    beforeLeaving={preventAccidentalClose}
    className="inset-x-3 top-[6dvh] mx-auto flex max-h-[88dvh] max-w-md animate-enter flex-col gap-5 overflow-y-auto rounded-xl border p-5"
  >
    <ModalHeader title={title} description={description} />
    {children}
    {footer && <footer className="flex justify-end gap-2">{footer}</footer>}
  </Modal>
)

type DrawerProps = Props & { side?: 'left' | 'right'; bare?: boolean }

const SIDES = {
  right: 'right-0 w-[min(30rem,100vw)] animate-slide border-l',
  left: 'left-0 w-[min(17rem,86vw)] animate-slide-left border-r',
}

/** A side panel for row details, or for the phone navigation (`bare`: without a header). */
export const Drawer = ({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  side = 'right',
  bare,
}: DrawerProps) => (
  <Modal
    open={open}
    onOpenChange={onOpenChange}
    isDescribed={Boolean(description)}
    className={clsx('inset-y-0 flex flex-col', SIDES[side])}
  >
    {bare ? (
      <HiddenTitle>{title}</HiddenTitle>
    ) : (
      <div className="border-line border-b px-5 py-4">
        <ModalHeader title={title} description={description} />
      </div>
    )}
    <Scrollable
      label={title}
      className={clsx('min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2', !bare && 'p-5')}
    >
      {children}
    </Scrollable>
    {footer && <footer className="flex justify-end gap-2 border-line border-t px-5 py-3">{footer}</footer>}
  </Modal>
)
