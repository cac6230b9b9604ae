/** The package has no types; in an audio thread it registers its processor by itself and gives nothing. */
declare module 'signalsmith-stretch' {}
