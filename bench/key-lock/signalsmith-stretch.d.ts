/** The package has no types; in an audio thread it registers its processor and exports nothing. */
declare module 'signalsmith-stretch' {}
