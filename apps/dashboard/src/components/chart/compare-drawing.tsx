import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { ComparedBar, CompareProps } from './compare-chart.tsx'
import { niceTicks } from './nice-ticks.ts'

const TICK = { fill: 'var(--faint)', fontSize: 11 }
const NAMES_PX = 120
const MOST_LETTERS = 17

const cut = (name: string) => (name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1).trimEnd()}…` : name)

/** The table below the chart has the same numbers for screen readers. */
export const CompareDrawing = ({ bars, legend, format, formatAxis }: CompareProps) => {
  const ticks = niceTicks(Math.max(...bars.flatMap(({ before, after }) => [before, after]), 0))
  const nameOf = (key: string) => bars.find((bar) => bar.key === key)?.name ?? ''
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 600, height: 240 }}>
      <BarChart
        data={bars}
        layout="vertical"
        margin={{ top: 0, right: 16, bottom: 0, left: 0 }}
        barGap={2}
        barCategoryGap="26%"
        accessibilityLayer={false}
      >
        <CartesianGrid horizontal={false} stroke="var(--line)" />
        <XAxis
          type="number"
          tickFormatter={formatAxis}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          ticks={ticks}
          domain={[0, ticks.at(-1) || 1]}
          interval="equidistantPreserveStart"
          minTickGap={24}
        />
        <YAxis
          type="category"
          dataKey="key"
          width={NAMES_PX}
          tickFormatter={(key: string) => cut(nameOf(key))}
          tick={{ ...TICK, fill: 'var(--soft)' }}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          interval={0}
        />
        <Tooltip
          cursor={{ fill: 'var(--hover)', fillOpacity: 0.6 }}
          isAnimationActive={false}
          content={({ payload }) => <Bubble bar={payload?.[0]?.payload} legend={legend} format={format} />}
        />
        <Bar dataKey="before" fill="var(--faint)" radius={2} isAnimationActive={false} />
        <Bar dataKey="after" fill="var(--series-1)" radius={2} isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  )
}

type BubbleProps = Pick<CompareProps, 'legend' | 'format'> & { bar: ComparedBar | undefined }

const Bubble = ({ bar, legend, format }: BubbleProps) =>
  bar ? (
    <div className="rounded-md border border-line bg-surface px-2.5 py-1.5 text-xs shadow-over">
      <p className="max-w-56 truncate font-medium">{bar.name}</p>
      <p className="text-faint tabular-nums">
        {legend.before}: {format(bar.before)}
      </p>
      <p className="text-faint tabular-nums">
        {legend.after}: {format(bar.after)}
      </p>
    </div>
  ) : null
