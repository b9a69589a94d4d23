/** A sentence in which `code` stands in backticks. */
export const WithCode = ({ text }: { text: string }) =>
  text.split(/(`[^`]+`)/).map((part) =>
    part.startsWith('`') ? (
      <code key={part} className="wrap-anywhere font-mono text-[0.9em]">
        {part.slice(1, -1)}
      </code>
    ) : (
      part
    ),
  )
