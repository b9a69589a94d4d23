type Props = { months: number[]; format: (cents: number) => string }

/** Two years of monthly commissions. */
export const MonthBars = ({ months, format }: Props) => {
  const most = Math.max(1, ...months)
  const paying = months.filter((cents) => cents > 0).length
  return (
    <figure>
      <div
        role="img"
        aria-label={`${paying} of ${months.length} months earn a commission, at most ${format(Math.max(...months))} per month`}
        className="flex h-16 items-end gap-0.5"
      >
        {months.map((cents, month) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: months never reorder
            key={month}
            className={cents > 0 ? 'flex-1 rounded-sm bg-series-1' : 'flex-1 rounded-sm bg-line'}
            style={{ height: cents > 0 ? `${Math.max(8, (cents / most) * 100)}%` : '6%' }}
          />
        ))}
      </div>
      <figcaption className="mt-1.5 flex justify-between text-faint text-xs">
        <span>Month 1</span>
        <span>Month {months.length}</span>
      </figcaption>
    </figure>
  )
}
