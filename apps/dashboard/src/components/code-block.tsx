import { clsx } from 'clsx'
import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { CopyButton } from './copy.tsx'
import { Scrollable } from './scrollable.tsx'

export type Snippet = { name: string; code: string; note?: ReactNode }

const Code = ({ name, code }: Pick<Snippet, 'name' | 'code'>) => (
  <Scrollable label={`Code: ${name}`} className="overflow-x-auto focus-visible:-outline-offset-2">
    <pre className="w-fit px-4 py-3 font-mono text-xs leading-relaxed">
      <code>{code}</code>
    </pre>
  </Scrollable>
)

/** Code to copy; with several snippets, a tab for each. */
export const CodeBlock = ({ snippets, label }: { snippets: Snippet[]; label: string }) => {
  // Indexes, because the values become element IDs and names contain spaces.
  const [current, setCurrent] = useState('0')
  const shown = snippets[Number(current)] ?? snippets[0]
  if (!shown) return null
  return (
    <Radix.Root
      value={current}
      onValueChange={setCurrent}
      className="min-w-0 overflow-hidden rounded-lg border border-line bg-sunken"
    >
      <div className="flex items-center justify-between gap-2 border-line border-b bg-surface pr-1.5 pl-2">
        {/* Scroll containers clip focus rings, so the ring is inside. */}
        <Radix.List aria-label={label} className="-mb-px flex min-w-0 overflow-x-auto [scrollbar-width:none]">
          {snippets.map(({ name }, index) => (
            <Radix.Trigger
              key={name}
              value={String(index)}
              className={clsx(
                'whitespace-nowrap border-transparent border-b-2 px-2.5 py-2 text-soft text-xs focus-visible:-outline-offset-2',
                'hover:text-ink data-[state=active]:border-ink data-[state=active]:font-medium data-[state=active]:text-ink',
              )}
            >
              {name}
            </Radix.Trigger>
          ))}
        </Radix.List>
        <CopyButton text={shown.code} label="Copy" />
      </div>
      {snippets.map((snippet, index) => (
        <Radix.Content key={snippet.name} value={String(index)} tabIndex={-1}>
          <Code {...snippet} />
          {snippet.note && <p className="border-line border-t px-4 py-2 text-soft text-xs">{snippet.note}</p>}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
