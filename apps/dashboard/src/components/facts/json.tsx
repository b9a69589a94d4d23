import { Scrollable } from '../scrollable.tsx'

export const Json = ({ label, value }: { label: string; value: unknown }) => (
  <Scrollable
    label={label}
    className="mt-2 max-h-96 overflow-auto rounded-lg border border-line bg-sunken focus-visible:-outline-offset-2"
  >
    <pre className="w-fit px-3.5 py-3 font-mono text-ink text-xs leading-relaxed">{JSON.stringify(value, null, 2)}</pre>
  </Scrollable>
)
