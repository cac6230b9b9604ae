// In an audio thread the package registers its processor by itself, as `signalsmith-stretch`.
import 'signalsmith-stretch';
