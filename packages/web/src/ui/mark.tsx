/** The mark of Stem Studio: four bars in the colours of the stems. Decorative: the name is beside it. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <rect x="3" y="9" width="3" height="6" rx="1.5" fill="var(--stem-vocals)" />
      <rect x="8" y="4" width="3" height="16" rx="1.5" fill="var(--stem-drums)" />
      <rect x="13" y="7" width="3" height="10" rx="1.5" fill="var(--stem-bass)" />
      <rect x="18" y="10" width="3" height="4" rx="1.5" fill="var(--stem-other)" />
    </svg>
  );
}
