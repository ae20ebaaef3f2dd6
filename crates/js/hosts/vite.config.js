export default {
    base: "./",
    build: { target: "es2022", rollupOptions: { input: ["readme.html", "splats.html"] } },
};
