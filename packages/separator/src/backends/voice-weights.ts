/** Weights of the network that estimates the voice; `training/README.md` describes where they come from. */
export const voiceWeights = new URL('./weights/voice.weights', import.meta.url);
