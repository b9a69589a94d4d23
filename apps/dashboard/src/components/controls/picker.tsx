import { clsx } from 'clsx'
import { Command } from 'cmdk'
import { Check, ChevronDown } from 'lucide-react'
import { Popover as Radix } from 'radix-ui'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { CONTROL } from './field.tsx'

export type Choice = { value: string; label: string; note?: string | null; badge?: ReactNode }

type Props = Omit<ComponentProps<'button'>, 'value' | 'onChange'> & {
  /** For example "Partner". */
  label: string
  value: string | undefined
  /** The label of the chosen value, and of no choice. */
  shown: string
  none: string
  search: { label: string; text: string; onText: (text: string) => void }
  choices: Choice[] | undefined
  onPick: (value: string | undefined) => void
}

const NONE = 'none'

/** A choice with too many options for a list: the service searches as the user types. */
export const Picker = ({ label, value, shown, none, search, choices, onPick, className, ...rest }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const change = (open: boolean) => {
    setOpen(open)
    search.onText('')
  }
  // Results arrive after the text; Enter picks the first result.
  const [marked, setMarked] = useState('')
  const first = (search.text ? choices?.[0]?.value : value) || NONE
  useEffect(() => setMarked(first), [first])
  const pick = (chosen: string | undefined) => {
    change(false)
    onPick(chosen)
  }
  return (
    <Radix.Root open={isOpen} onOpenChange={change} modal>
      <Radix.Trigger
        {...rest}
        // Screen readers need the chosen value as well.
        aria-label={`${label}: ${shown}`}
        className={clsx(CONTROL, 'relative flex h-8 cursor-pointer items-center pr-8 pl-2.5 text-left', className)}
      >
        <span className="truncate">{shown}</span>
        <ChevronDown aria-hidden className="pointer-events-none absolute top-2 right-2.5 size-4 text-faint" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="start"
          sideOffset={4}
          collisionPadding={12}
          aria-label={search.label}
          className="z-60 w-72 max-w-[calc(100vw-1.5rem)] animate-enter overflow-hidden rounded-lg border border-line bg-surface shadow-over focus:outline-none"
        >
          <Command label={search.label} shouldFilter={false} loop value={marked} onValueChange={setMarked}>
            <Command.Input
              value={search.text}
              onValueChange={search.onText}
              placeholder={search.label}
              className="h-9 w-full border-line border-b bg-transparent px-3 text-sm outline-none placeholder:text-faint"
            />
            <Command.List label={search.label} className="max-h-64 overflow-y-auto p-1">
              {choices && (
                <Command.Empty className="px-3 py-6 text-center text-faint text-sm">
                  No matching partners.
                </Command.Empty>
              )}
              {!search.text && (
                <Option choice={{ value: '', label: none }} isChosen={!value} onPick={() => pick(undefined)} />
              )}
              {choices?.map((choice) => (
                <Option
                  key={choice.value}
                  choice={choice}
                  isChosen={choice.value === value}
                  onPick={() => pick(choice.value)}
                />
              ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type OptionProps = { choice: Choice; isChosen: boolean; onPick: () => void }

const Option = ({ choice: { value, label, note, badge }, isChosen, onPick }: OptionProps) => (
  <Command.Item
    value={value || NONE}
    onSelect={onPick}
    className="flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 py-1 text-sm data-[selected=true]:bg-hover"
  >
    <span className="min-w-0 flex-1">
      <span className="block truncate">{label}</span>
      {note && <span className="block truncate text-faint text-xs">{note}</span>}
    </span>
    {badge}
    {isChosen && <Check aria-hidden className="size-4 shrink-0 text-accent-ink" />}
  </Command.Item>
)
