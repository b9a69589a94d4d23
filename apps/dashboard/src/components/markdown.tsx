import type { ReactNode } from 'react'

const LINK = 'font-medium text-accent-ink underline decoration-1 underline-offset-3 hover:decoration-2'
const INLINE = /\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|\[([^\]\n]+)\]\(((?:https?:\/\/|mailto:)[^\s)]+)\)/g

/**
 * Limited Markdown: headings, lists, bold, italic and links. The text becomes React elements, never HTML, so it cannot contain
 * scripts, and links lead only to web and email addresses.
 */
export const Markdown = ({ text }: { text: string }) => (
  <div className="wrap-anywhere flex flex-col gap-3 text-pretty text-sm">
    {text
      .replaceAll('\r\n', '\n')
      .split(/\n{2,}/)
      .map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text is replaced as a whole
        <Block key={index} text={block.trim()} />
      ))}
  </div>
)

/** A heading ends with its line; what follows is a block of its own. */
const Block = ({ text }: { text: string }): ReactNode => {
  const [, heading, rest] = /^#{1,3} +([^\n]+)\n?([\s\S]*)$/.exec(text) ?? []
  if (heading)
    return (
      <>
        <h2 className="mt-2 text-section first:mt-0">{inline(heading)}</h2>
        {rest && <Block text={rest} />}
      </>
    )
  const lines = text.split('\n')
  if (lines.every((line) => /^[-*] /.test(line))) return <ul className="list-disc pl-5">{items(lines)}</ul>
  if (lines.every((line) => /^\d+[.)] /.test(line))) return <ol className="list-decimal pl-5">{items(lines)}</ol>
  return <p className="whitespace-pre-line">{inline(text)}</p>
}

const items = (lines: string[]) =>
  lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat
    <li key={index} className="mt-1">
      {inline(line.replace(/^\S+ /, ''))}
    </li>
  ))

const inline = (text: string): ReactNode[] => {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, bold, italic, label, address] = match
    parts.push(text.slice(end, match.index))
    end = match.index + whole.length
    if (bold) parts.push(<strong key={end}>{bold}</strong>)
    else if (italic) parts.push(<em key={end}>{italic}</em>)
    else
      parts.push(
        <a key={end} href={address} target="_blank" rel="noreferrer" className={LINK}>
          {label}
        </a>,
      )
  }
  return [...parts, text.slice(end)]
}
