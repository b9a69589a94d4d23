import { clsx } from 'clsx'
import { Check, Ellipsis } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { buttonClass } from '../controls/button.tsx'

const ITEM =
  'flex cursor-pointer select-none items-center gap-2 rounded-md px-2 py-1.5 text-sm outline-none data-highlighted:bg-hover data-disabled:cursor-not-allowed data-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0'

/** The shell's main element. Portalled content goes there so that it is inside a landmark. */
export const CONTENT_ID = 'content'

type Props = {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  className?: string
}

/** Menus open inside the dialog they belong to, otherwise in the main element. */
const findContainer = (trigger: HTMLElement | null) =>
  trigger?.closest<HTMLElement>('[role=dialog]') ?? document.getElementById(CONTENT_ID)

export const Menu = ({ trigger, children, align = 'end', side = 'bottom', className }: Props) => {
  const [container, setContainer] = useState<HTMLElement | null>(null)
  const triggerRef = useRef<HTMLButtonElement>(null)
  return (
    <Radix.Root modal={false} onOpenChange={(open) => open && setContainer(findContainer(triggerRef.current))}>
      <Radix.Trigger asChild ref={triggerRef}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={clsx(
            'z-50 min-w-44 animate-enter rounded-lg border border-line bg-surface p-1 text-left shadow-over',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The ⋯ menu of a row. `label` names the row for screen readers. */
export const RowMenu = ({ label, children }: { label: string; children: ReactNode }) => (
  <Menu
    trigger={
      <button type="button" aria-label={label} className={buttonClass({ look: 'quiet', size: 'icon' }, 'size-7')}>
        <Ellipsis aria-hidden />
      </button>
    }
  >
    {children}
  </Menu>
)

type ItemProps = { onSelect?: () => void; danger?: boolean; disabled?: boolean; children: ReactNode; asChild?: boolean }

export const MenuItem = ({ danger, children, ...rest }: ItemProps) => (
  <Radix.Item {...rest} className={clsx(ITEM, danger ? 'text-bad-ink' : 'text-ink [&_svg]:text-faint')}>
    {children}
  </Radix.Item>
)

type CheckboxProps = { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode }

/** Stays open, so that several can be changed. */
export const MenuCheckbox = ({ checked, onChange, children }: CheckboxProps) => (
  <Radix.CheckboxItem
    checked={checked}
    onCheckedChange={onChange}
    onSelect={(event) => event.preventDefault()}
    className={clsx(ITEM, '[&_svg]:text-faint')}
  >
    <span className="grid size-4 place-items-center">
      <Radix.ItemIndicator>
        <Check aria-hidden />
      </Radix.ItemIndicator>
    </span>
    {children}
  </Radix.CheckboxItem>
)

type ChoiceProps<Value extends string> = {
  label: string
  value: Value
  options: { value: Value; label: string; icon?: ReactNode }[]
  onChange: (value: Value) => void
}

export const MenuChoice = <Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) => (
  <Radix.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
    <MenuLabel>{label}</MenuLabel>
    {options.map((option) => (
      <Radix.RadioItem key={option.value} value={option.value} className={clsx(ITEM, '[&_svg]:text-faint')}>
        {option.icon}
        <span className="flex-1">{option.label}</span>
        <Radix.ItemIndicator>
          <Check aria-hidden />
        </Radix.ItemIndicator>
      </Radix.RadioItem>
    ))}
  </Radix.RadioGroup>
)

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="truncate px-2 pt-1.5 pb-1 font-medium text-faint text-xs">{children}</Radix.Label>
)

export const MenuSeparator = () => <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
